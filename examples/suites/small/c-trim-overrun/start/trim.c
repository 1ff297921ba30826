#include "trim.h"
#include <ctype.h>
#include <string.h>

char *trim(char *text)
{
    char *end = text + strlen(text) - 1;
    char *start = text;

    while (isspace(*end))
        end--;
    while (isspace(*start))
        start++;
    memcpy(text, start, end - start);
    text[end - start] = '\0';
    return text;
}

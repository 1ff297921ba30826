#include "header.h"
#include <string.h>

int read_header(const unsigned char *bytes, size_t size, struct header *header)
{
    if (size < sizeof *header)
        return -1;
    memcpy(&header->version, bytes + 2, 2);
    memcpy(&header->width, bytes + 4, 4);
    memcpy(&header->height, bytes + 8, 4);
    return 0;
}

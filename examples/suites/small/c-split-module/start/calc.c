#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *at;
    int failed;
};

static long parse_sum(struct parser *parser);

static void parse_blanks(struct parser *parser)
{
    while (*parser->at == ' ')
        parser->at++;
}

static long parse_atom(struct parser *parser)
{
    long value = 0;

    parse_blanks(parser);
    if (*parser->at == '(') {
        parser->at++;
        value = parse_sum(parser);
        parse_blanks(parser);
        if (*parser->at == ')')
            parser->at++;
        else
            parser->failed = 1;
    } else if (isdigit((unsigned char)*parser->at)) {
        char *end;
        value = strtol(parser->at, &end, 10);
        parser->at = end;
    } else {
        parser->failed = 1;
    }
    return value;
}

static long parse_product(struct parser *parser)
{
    long value = parse_atom(parser);

    for (;;) {
        parse_blanks(parser);
        if (*parser->at != '*')
            return value;
        parser->at++;
        value *= parse_atom(parser);
    }
}

static long parse_sum(struct parser *parser)
{
    long value = parse_product(parser);

    for (;;) {
        char sign;
        parse_blanks(parser);
        sign = *parser->at;
        if (parser->failed || (sign != '+' && sign != '-'))
            return value;
        parser->at++;
        value += sign == '+' ? parse_product(parser) : -parse_product(parser);
    }
}

/* 0 and the result, or -1. */
static int parse_line(const char *text, long *result)
{
    struct parser parser = {text, 0};
    long value = parse_sum(&parser);

    parse_blanks(&parser);
    if (parser.failed || *parser.at != '\0')
        return -1;
    *result = value;
    return 0;
}

int main(void)
{
    char line[256];

    while (fgets(line, sizeof line, stdin) != NULL) {
        long result;
        line[strcspn(line, "\n")] = '\0';
        if (parse_line(line, &result) == 0)
            printf("%ld\n", result);
        else
            printf("error\n");
    }
    return 0;
}

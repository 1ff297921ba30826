#ifndef HEADER_H
#define HEADER_H

#include <stddef.h>
#include <stdint.h>

struct header {
    uint16_t version;
    uint32_t width;
    uint32_t height;
};

/* Reads a header from `size` bytes; 0, or -1 if there is none. `header` is changed only on success. */
int read_header(const unsigned char *bytes, size_t size, struct header *header);

#endif

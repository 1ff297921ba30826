#ifndef RING_H
#define RING_H

#include <stddef.h>

struct ring;

/* A ring for `size` bytes, all of which can be used; NULL if size is 0 or there is no memory. */
struct ring *ring_new(size_t size);

/* NULL does nothing. */
void ring_free(struct ring *ring);

/* Writes as many of the bytes as there is room for, and returns how many. */
size_t ring_write(struct ring *ring, const void *bytes, size_t count);

/* Reads at most `count` bytes, oldest first, and returns how many. `bytes` may be NULL: they are thrown away. */
size_t ring_read(struct ring *ring, void *bytes, size_t count);

/* The bytes that can be read. */
size_t ring_used(const struct ring *ring);

#endif

/* Ships parcels between depots. */
#include <stdio.h>
#include "rates.h"

#define LIMIT 40
#define SQUARE(x) ((x) * (x))

/** A place on a route. */
struct stop {
    char *name;
    double weight;
    struct stop *next, *prev;
    int tags[4];
    double (*rate)(struct stop *self);
};

typedef struct {
    int x, y;
} point;

typedef struct stop stop_t;
typedef unsigned long size_type;
typedef int (*compare_fn)(const void *, const void *);

union bits {
    unsigned whole;
    float part;
};

/* Marks on a parcel. */
enum color {
    RED,
    BLUE = 4,
};

typedef enum { SMALL, LARGE } size_kind;

static int count = 0;
extern int shared;
const char *names[] = {"a", "b"};
point origin, *corner;

static double heavier(const struct stop *a, const struct stop *b);
int external(int value);

/** Compares two. */
static double heavier(const struct stop *a, const struct stop *b)
{
    double mine = a->weight;
    return mine - b->weight;
}

struct stop *make_stop(char *name)
{
    struct stop *made = malloc(sizeof(struct stop));
    made->name = name;
    made->next = NULL;
    for (int i = 0; i < LIMIT; i++) {
        made->tags[i % 4] = SQUARE(i);
    }
    return made;
}

int plan(struct stop items[], size_type limit, compare_fn by)
{
    size_type index;
    enum color mark = RED;
    for (index = 0; index < limit; index++) {
        if (by(&items[index], items) > 0)
            goto done;
        count += charge(items[index].name);
    }
    switch (mark) {
    case BLUE:
        printf("%d\n", count);
        break;
    default:
        break;
    }
done:
    heavier(items, items + 1);
    return count;
}

int main(int argc, char **argv)
{
    stop_t *first = make_stop(argv[0]);
    return plan(first, argc, 0);
}

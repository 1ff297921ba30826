import {expect, it} from 'vitest';
import {allRelations, textsOf} from '../all-relations.ts';

it('C: headers and sources, types that are only named, what a file keeps to itself (issue: relations are resolved across files by imports and scopes, not by name alone)', async () => {
  const relations = await allRelations(
    textsOf({
      'include/store.h': [
        '#ifndef STORE_H',
        '#define STORE_H',
        '#define MAX_ITEMS 8',
        'typedef struct store store;',
        'typedef enum { STORE_OK, STORE_FULL } store_result;',
        'struct item { int price; struct item *next; };',
        'store *store_new(void);',
        'store_result store_add(store *s, struct item *it);',
        'extern int store_count;',
        '#endif',
      ],
      'src/store.c': [
        '#include "store.h"',
        '#include <stdlib.h>',
        'struct store { struct item *first; int used; };',
        'int store_count = 0;',
        'static int helper(store *s) { return s->used; }',
        'store *store_new(void) { return calloc(1, sizeof(store)); }',
        'store_result store_add(store *s, struct item *it) {',
        '  if (helper(s) >= MAX_ITEMS) return STORE_FULL;',
        '  it->next = s->first;',
        '  s->first = it;',
        '  store_count++;',
        '  return STORE_OK;',
        '}',
      ],
      'src/other.c': ['static int helper(int x) { return x; }', 'int other(void) { return helper(1); }'],
      'src/main.c': [
        '#include "../include/store.h"',
        'int main(void) {',
        '  store *s = store_new();',
        '  struct item it = {1, 0};',
        '  int helper = it.price;',
        '  if (store_add(s, &it) == STORE_OK) return store_count + helper;',
        '  return it.next->price;',
        '}',
      ],
    }),
  );
  expect(relations).toMatchInlineSnapshot(`
    [
      "include/store.h:1 reference STORE_H -> ::STORE_H#constant",
      "include/store.h:4 uses_type store -> ::store#type",
      "include/store.h:6 uses_type item -> ::item#struct",
      "include/store.h:7 uses_type store -> ::store#type",
      "include/store.h:8 uses_type store_result -> ::store_result#type",
      "include/store.h:8 uses_type store -> ::store#type",
      "include/store.h:8 uses_type item -> ::item#struct",
      "include/store.h store_result#type contains store_result.STORE_OK#enum_member",
      "include/store.h store_result#type contains store_result.STORE_FULL#enum_member",
      "include/store.h item#struct contains item.price#property",
      "include/store.h item#struct contains item.next#property",
      "src/main.c:1 import ../include/store.h -> include/store.h",
      "src/main.c:3 uses_type store -> include/store.h::store#type",
      "src/main.c:3 call store_new -> include/store.h::store_new#function",
      "src/main.c:4 uses_type item -> include/store.h::item#struct",
      "src/main.c:5 reference price -> include/store.h::item.price#property",
      "src/main.c:6 call store_add -> include/store.h::store_add#function",
      "src/main.c:6 reference STORE_OK -> include/store.h::store_result.STORE_OK#enum_member",
      "src/main.c:6 reference store_count -> include/store.h::store_count#variable",
      "src/main.c:7 reference next -> include/store.h::item.next#property",
      "src/main.c:7 reference price -> include/store.h::item.price#property",
      "src/other.c:2 call helper -> ::helper#function",
      "src/store.c:1 import store.h -> include/store.h",
      "src/store.c:2 import <stdlib.h> -> ?",
      "src/store.c:3 uses_type item -> include/store.h::item#struct",
      "src/store.c:5 uses_type store -> ::store#struct",
      "src/store.c:5 reference used -> ::store.used#property",
      "src/store.c:6 uses_type store -> ::store#struct",
      "src/store.c:6 call calloc -> ?",
      "src/store.c:6 reference store -> ::store#struct",
      "src/store.c:7 uses_type store_result -> include/store.h::store_result#type",
      "src/store.c:7 uses_type store -> ::store#struct",
      "src/store.c:7 uses_type item -> include/store.h::item#struct",
      "src/store.c:8 call helper -> ::helper#function",
      "src/store.c:8 reference MAX_ITEMS -> include/store.h::MAX_ITEMS#constant",
      "src/store.c:8 reference STORE_FULL -> include/store.h::store_result.STORE_FULL#enum_member",
      "src/store.c:9 reference next -> include/store.h::item.next#property",
      "src/store.c:9 reference first -> ::store.first#property",
      "src/store.c:10 reference first -> ::store.first#property",
      "src/store.c:11 reference store_count -> ::store_count#variable",
      "src/store.c:12 reference STORE_OK -> include/store.h::store_result.STORE_OK#enum_member",
      "src/store.c store#struct contains store.first#property",
      "src/store.c store#struct contains store.used#property",
    ]
  `);
});

it('C: names in what macros stand for, in conditions of the preprocessor, and where a macro ends (issue 6: who uses it is what grep finds, without comments and strings)', async () => {
  const relations = await allRelations(
    textsOf({
      'add.h': [
        '#ifndef ADD_H',
        '#define ADD_H',
        'int add_one(int value, int limit);',
        '#define LIMIT 8 /* not add_one */',
        '#define ADD(a, b) do { add_one((a)->field, b); ADD_ALL(a ## b, LIMIT, "add_one"); } while (0)',
        '#undef LIMIT',
        '#error add_one is missing',
        '#endif',
      ],
    }),
  );
  expect(relations).toMatchInlineSnapshot(`
    [
      "add.h:1 reference ADD_H -> ::ADD_H#constant",
      "add.h:5 call add_one -> ::add_one#function",
      "add.h:5 reference field -> ?",
      "add.h:5 call ADD_ALL -> ?",
      "add.h:5 reference LIMIT -> ::LIMIT#constant",
      "add.h:6 reference LIMIT -> ::LIMIT#constant",
    ]
  `);
});

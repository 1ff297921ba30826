import {describe, expect, it} from 'vitest';
import {indexFiles, meanings} from '../index-files.ts';

describe('names of other languages across files (issue: relations are resolved by scopes and imports, not by name alone)', () => {
  it('Python: packages, relative imports, what `__init__` imports, `self.`', async () => {
    const index = await indexFiles({
      'shop/__init__.py': 'from .models import Item\n',
      'shop/models.py':
        'class Base:\n    def save(self):\n        pass\n\nclass Item(Base):\n    def price(self):\n        return 1\n\ndef make() -> Item:\n    return Item()\n',
      'shop/sub/__init__.py': '',
      'shop/sub/use.py':
        'from ..models import Item, make\nfrom .. import models\nimport shop.models as m\nfrom shop import Item as Again\nimport json\n\nmake().price()\nmodels.make()\nm.Base()\nitem = Item()\nitem.save()\njson.dumps(1)\n',
    });
    expect(meanings(index).filter((line) => line.includes('use.py'))).toMatchInlineSnapshot(`
      [
        "shop/sub/use.py:7 call make -> shop/models.py::make#function",
        "shop/sub/use.py:7 call price -> shop/models.py::Item.price#method",
        "shop/sub/use.py:8 reference models -> ?",
        "shop/sub/use.py:8 call make -> shop/models.py::make#function",
        "shop/sub/use.py:9 reference m -> ?",
        "shop/sub/use.py:9 call Base -> shop/models.py::Base#class",
        "shop/sub/use.py:10 call Item -> shop/models.py::Item#class",
        "shop/sub/use.py:11 call save -> shop/models.py::Base.save#method",
        "shop/sub/use.py:12 reference json -> ?",
        "shop/sub/use.py:12 call dumps -> ?",
        "shop/sub/use.py:1 import ..models -> ?",
        "shop/sub/use.py:1 import Item -> shop/models.py::Item#class",
        "shop/sub/use.py:1 import make -> shop/models.py::make#function",
        "shop/sub/use.py:2 import .. -> ?",
        "shop/sub/use.py:2 import models -> ?",
        "shop/sub/use.py:3 import shop.models -> ?",
        "shop/sub/use.py:3 import m -> ?",
        "shop/sub/use.py:4 import shop -> ?",
        "shop/sub/use.py:4 import Item -> shop/models.py::Item#class",
        "shop/sub/use.py:4 import Again -> shop/models.py::Item#class",
        "shop/sub/use.py:5 import json -> ?",
      ]
    `);
  });

  it('Go: packages by folder and module path, the files of a package, methods that stand outside of their type', async () => {
    const index = await indexFiles({
      'go.mod': 'module example.com/shop\n\ngo 1.22\n',
      'store/store.go': 'package store\n\ntype Store struct{ Name string }\n\nfunc New() *Store { return &Store{} }\n',
      'store/methods.go': 'package store\n\nfunc (s *Store) Save() error { return helper() }\n\nfunc helper() error { return nil }\n',
      'main.go':
        'package main\n\nimport (\n\t"fmt"\n\t"example.com/shop/store"\n)\n\nfunc main() {\n\ts := store.New()\n\ts.Save()\n\tfmt.Println(s.Name)\n}\n',
    });
    expect(meanings(index)).toMatchInlineSnapshot(`
      [
        "main.go:9 reference store -> ?",
        "main.go:9 call New -> store/store.go::New#function",
        "main.go:10 call Save -> store/methods.go::Store.Save#method",
        "main.go:11 reference fmt -> ?",
        "main.go:11 call Println -> ?",
        "main.go:11 reference Name -> store/store.go::Store.Name#property",
        "main.go:4 import fmt -> ?",
        "main.go:5 import example.com/shop/store -> ?",
        "store/methods.go:3 uses_type Store -> store/store.go::Store#struct",
        "store/methods.go:3 uses_type error -> ?",
        "store/methods.go:5 uses_type error -> ?",
        "store/store.go:3 uses_type string -> ?",
      ]
    `);
  });

  it('Java and Kotlin: packages, imports, what is in the same package, inherited members without `this`', async () => {
    const index = await indexFiles({
      'src/com/shop/Base.java': 'package com.shop;\n\npublic class Base {\n  protected void save() {}\n}\n',
      'src/com/shop/Item.java': 'package com.shop;\n\npublic class Item extends Base {\n  public int price() { save(); return 1; }\n}\n',
      'src/com/app/Main.java':
        'package com.app;\n\nimport com.shop.Item;\nimport java.util.List;\n\nclass Main {\n  void run(Item item) {\n    item.price();\n    item.save();\n  }\n}\n',
      'src/com/other/Item.java': 'package com.other;\n\npublic class Item {\n  public int price() { return 2; }\n}\n',
    });
    expect(meanings(index)).toMatchInlineSnapshot(`
      [
        "src/com/app/Main.java:7 uses_type Item -> src/com/shop/Item.java::Item#class",
        "src/com/app/Main.java:8 call price -> src/com/shop/Item.java::Item.price#method",
        "src/com/app/Main.java:9 call save -> src/com/shop/Base.java::Base.save#method",
        "src/com/app/Main.java:3 import Item -> src/com/shop/Item.java::Item#class",
        "src/com/app/Main.java:4 import List -> ?",
        "src/com/shop/Item.java:3 extends Base -> src/com/shop/Base.java::Base#class",
        "src/com/shop/Item.java:4 call save -> src/com/shop/Base.java::Base.save#method",
      ]
    `);
  });

  it('Rust: `mod` and `use` by the path of the crate', async () => {
    const index = await indexFiles({
      'Cargo.toml': '[package]\nname = "shop"\n',
      'src/lib.rs': 'pub mod store;\npub mod util;\n\npub fn run() {\n    store::open();\n}\n',
      'src/store/mod.rs':
        'use crate::util::helper;\nuse super::run;\n\npub struct Store;\n\nimpl Store {\n    pub fn save(&self) {\n        helper();\n    }\n}\n\npub fn open() -> Store {\n    run();\n    Store\n}\n',
      'src/util.rs':
        'use crate::store::{self, Store};\n\npub fn helper() {}\n\npub fn other(s: Store) {\n    s.save();\n    store::open().save();\n}\n',
    });
    expect(meanings(index)).toMatchInlineSnapshot(`
      [
        "src/lib.rs:5 call open -> src/store/mod.rs::open#function",
        "src/store/mod.rs:8 call helper -> src/util.rs::helper#function",
        "src/store/mod.rs:13 call run -> src/lib.rs::run#function",
        "src/store/mod.rs:1 import helper -> src/util.rs::helper#function",
        "src/store/mod.rs:2 import run -> src/lib.rs::run#function",
        "src/util.rs:5 uses_type Store -> src/store/mod.rs::Store#struct",
        "src/util.rs:6 call save -> src/store/mod.rs::Store.save#method",
        "src/util.rs:7 reference store -> ?",
        "src/util.rs:7 call open -> src/store/mod.rs::open#function",
        "src/util.rs:7 call save -> src/store/mod.rs::Store.save#method",
        "src/util.rs:1 import crate::store -> ?",
        "src/util.rs:1 import Store -> src/store/mod.rs::Store#struct",
      ]
    `);
  });
});

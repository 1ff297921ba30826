#!/bin/bash
tmp=$2.tmp
cat "$1" | grep -v '^$' | sort > "$tmp"
cp "$tmp" "$2"
rm "$tmp"
echo published

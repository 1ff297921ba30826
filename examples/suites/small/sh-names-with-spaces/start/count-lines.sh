#!/bin/bash
cd $1
for file in $(ls); do
  if [ -f $file ]; then
    echo "$file: $(cat $file | wc -l)"
  fi
done

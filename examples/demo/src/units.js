/** Every unit and its length in milliseconds, the longest first: `format` takes out of a duration what fits, in this order. */
export const UNITS = [
  {name: 'd', length: 86_400_000},
  {name: 'h', length: 3_600_000},
  {name: 'm', length: 60_000},
  {name: 's', length: 1_000},
  {name: 'ms', length: 1},
];

import {money} from './format.mjs';

export function totalsByCountry(orders) {
  const totals = new Map();
  for (const order of orders) {
    if (order.cancelled) continue;
    const key = order.country ?? 'unknown';
    totals.set(key, (totals.get(key) ?? 0) + order.cents);
  }
  return [...totals]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([key, cents]) => `${key}: ${money(cents)}`);
}

export function totalsByProduct(orders) {
  const totals = new Map();
  for (const order of orders) {
    if (order.cancelled) continue;
    const key = order.product ?? 'unknown';
    totals.set(key, (totals.get(key) ?? 0) + order.cents);
  }
  return [...totals]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([key, cents]) => `${key}: ${money(cents)}`);
}

export function totalsByMonth(orders) {
  const totals = new Map();
  for (const order of orders) {
    if (order.cancelled) continue;
    const key = order.date?.slice(0, 7) ?? 'unknown';
    totals.set(key, (totals.get(key) ?? 0) + order.cents);
  }
  return [...totals]
    .sort(([a, x], [b, y]) => (a < b ? -1 : 1))
    .map(([key, cents]) => `${key}: ${money(cents)}`);
}

'use strict';
const path = require('node:path');
const {rate, charge: bill} = require('./rates');

const LIMIT = 40;
var count = 0;

/**
 * A place on a route.
 */
class Stop extends Base {
  static kind = 'stop';
  #weight = 1;

  constructor(name) {
    super();
    this.name = name;
    this.depot = new Depot();
  }

  get label() {
    return this.name.toUpperCase();
  }

  visit(stop = new Stop('x'), ...rest) {
    this.depot.open(stop);
    return rest.map((one) => one.label + this.#weight);
  }
}

function Depot(color) {
  this.color = color;
}

Depot.prototype.open = function (stop) {
  return stop.visit();
};

const twice = (value) => value * 2;
const helpers = {
  twice,
  half(value) {
    return value / 2;
  },
};

async function* plan(items, {limit = LIMIT} = {}) {
  for (const item of items) {
    if (count > limit) break;
    yield bill(item);
  }
  try {
    await rate(twice(count));
  } catch {
    count = helpers.half(count);
  }
}

module.exports = {Stop, plan, join: path.join};
exports.extra = function extra() {};
exports.depot = Depot;

-- Ships parcels between depots.
local json = require("json")
local rates = require 'ships.rates'

LIMIT = 40
local cache = {}

--- A place on a route.
local Stop = {}
Stop.__index = Stop
Stop.kind = "stop"

-- Makes one.
function Stop.new(name, weight)
  local self = setmetatable({}, Stop)
  self.name = name
  self.weight = weight or 0
  return self
end

function Stop:rate(factor, ...)
  local mine = self.weight * factor
  return mine + rates.charge(self)
end

Stop.label = function(self)
  return self.name:upper()
end

local function helper(value)
  local made = Stop.new("x")
  for index, one in ipairs({1, 2}) do
    made:rate(one + index)
  end
  for i = 1, value do
    cache[i] = made
  end
  return made
end

local twice = function(n)
  return n * 2
end

function plan(items, limit)
  local total = 0
  local function inner(item)
    total = total + item:rate(1)
  end
  for _, item in pairs(items) do
    inner(item)
    if total > LIMIT then
      goto done
    end
  end
  ::done::
  helper(twice(total)):rate(2)
  return total
end

local M = {
  plan = plan,
  size = function() return 1 end,
}

function M.run()
  return plan({Stop.new("a")}, LIMIT)
end

return M

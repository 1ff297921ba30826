# Ships parcels between depots.
require 'json'
require_relative 'rates'

LIMIT = 40
$cache = {}

# Shared behaviour.
module Rated
  BASE = 1

  def rate(factor)
    weight * factor
  end

  module Deep
    class Core
    end
  end
end

# A place on a route.
class Stop < Base
  include Rated
  extend Comparable

  attr_reader :name, :weight
  attr_accessor :height

  KINDS = %w[a b].freeze
  @@count = 0

  # Makes one.
  def initialize(name, weight = 0.0, *rest, depot: nil, **options, &block)
    @name = name
    @weight = weight
    @@count += 1
    super(name)
  end

  def self.parse(line)
    name, weight = line.split(',')
    new(name, weight.to_f)
  end

  class << self
    def build
      Stop.new('built')
    end
  end

  def label
    text = name.upcase
    [1, 2].each do |index|
      text << helper(index)
    end
    text
  end

  def heavier?(other)
    @weight > other.weight
  end

  def ==(other)
    name == other.name
  end

  alias_method :title, :label
  alias caption label

  private

  def helper(value)
    made = Stop.parse('x,1')
    made.rate(value).to_s
  rescue StandardError => error
    puts error
  end
end

class Ships::Route < Stop
  def total
    Rated::Deep::Core.new
  end
end

Point = Struct.new(:x, :y) do
  def sum
    x + y
  end
end

def plan(items, limit: LIMIT)
  total = 0
  items.each { |item| total += item.rate(1) }
  items.map(&:name)
  if total > limit
    puts "too #{total}"
  end
  total
end

plan([Stop.new('a')])

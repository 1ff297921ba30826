# Ships parcels between depots.
defmodule Ships.Rated do
  @moduledoc "Something with a rate."

  @callback rate(term, float) :: float
end

defmodule Ships.Stop do
  @moduledoc """
  A place on a route.
  """

  use GenServer
  import Enum, only: [map: 2]
  alias Ships.Rates
  alias Ships.{Money, Price}
  alias Ships.Depot, as: Home
  require Logger

  @behaviour Ships.Rated
  @limit 40
  @type t :: %__MODULE__{name: String.t(), weight: float}

  defstruct name: "", weight: 0.0

  @doc "Makes one."
  @spec new(String.t()) :: t
  def new(name, weight \\ 0.0) do
    %Ships.Stop{name: name, weight: weight}
  end

  @impl true
  def rate(%__MODULE__{weight: weight}, factor) when factor > 0 do
    mine = weight * factor
    mine + helper(mine)
  end

  def rate(_stop, _factor), do: 0.0

  defp helper(value) do
    made = new("x")
    Enum.each([1, 2], fn one -> Rates.charge(made, one + value) end)
    Home.open(made)
    @limit
  end

  defmacro twice(expression) do
    quote do
      unquote(expression) * 2
    end
  end

  defguard is_heavy(weight) when weight > 10

  defdelegate charge(stop), to: Rates

  defmodule Part do
    def depth, do: 1
  end
end

defprotocol Ships.Label do
  def label(value)
end

defimpl Ships.Label, for: Ships.Stop do
  def label(stop) do
    stop.name |> String.upcase() |> decorate()
  end

  defp decorate(text), do: text <> "!"
end

defmodule Ships.Plan do
  def plan(items, limit \\ 3) do
    total =
      items
      |> Enum.map(&Ships.Stop.rate(&1, 1.0))
      |> Enum.sum()

    case total do
      0 -> :none
      sum when sum > limit -> {:heavy, sum}
      _ -> Ships.Label.label(hd(items))
    end
  end
end

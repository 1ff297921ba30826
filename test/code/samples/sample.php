<?php

namespace Example\Ships;

use Example\Rates\Rate;
use Example\Shared\{Money, Price as Cost};
use function Example\Shared\charge;

require_once __DIR__ . '/rates.php';

/** How much fits. */
const LIMIT = 40;
define('OLD_LIMIT', 41);

/** Shared behaviour. */
trait Labels
{
    protected string $prefix = 'x';

    public function label(): string
    {
        return $this->prefix;
    }
}

interface Rated extends \Countable
{
    const BASE = 1;

    public function rate(float $factor): float;
}

/** A place on a route. */
abstract class Stop extends Base implements Rated
{
    use Labels;

    public const KIND = 'stop';
    private static int $count = 0;
    public ?string $name;
    protected array $tags = [], $more = [];

    public function __construct(string $name, private readonly float $weight = 0.0)
    {
        parent::__construct($name);
        $this->name = $name;
        self::$count++;
    }

    /** Rates it. */
    public function rate(float $factor): float
    {
        $mine = $this->weight * $factor;
        return $mine + self::helper([1]);
    }

    private static function helper(array $list): float
    {
        foreach ($list as $key => $one) {
            $made = Stop::parse("a");
            $made->rate($one);
        }
        $twice = fn(int $n) => $n * 2;
        $add = function ($n) use ($list) {
            return $n + count($list);
        };
        return $twice(LIMIT) + $add(1);
    }

    abstract public static function parse(string $line): Stop;
}

final class Route extends Stop
{
    public static function parse(string $line): Stop
    {
        try {
            return new Route($line);
        } catch (\Exception $error) {
            throw $error;
        }
    }
}

enum Color: string
{
    case Red = 'r';
    case Blue = 'b';

    public function dark(): bool
    {
        return $this === self::Blue;
    }
}

function plan(array $items, Rate ...$rates): int
{
    global $cache;
    $total = charge(new Money());
    foreach ($items as $item) {
        $total += $item->rate(Stop::KIND);
    }
    return $total;
}

$first = new Route('a');
echo plan([$first]);

// Package ships moves parcels between depots.
package ships

import (
	"fmt"
	str "strings"
	. "math"
	_ "embed"

	"example.com/ships/rates"
)

// Limit is how much fits.
const Limit = 40

const (
	Red Color = iota
	Blue
)

var cache map[string]int
var (
	first, second = 1, 2
	hidden        string
)

// Color marks a parcel.
type Color int

// Stop is a place on a route.
type Stop struct {
	Name   string `json:"name"`
	weight float64
	Base
	*rates.Rated
}

type Base struct{ ID int }

// Rater rates.
type Rater interface {
	fmt.Stringer
	Rate(factor float64) float64
}

type Alias = Stop

type Pair[K comparable, V any] struct {
	Key   K
	Value V
}

type Handler func(stop *Stop) error

// Heavier compares.
func (s *Stop) Heavier(other *Stop) bool {
	mine := s.weight
	return mine > other.weight
}

func (s Stop) Rate(factor float64) float64 {
	return s.weight * factor
}

func (p *Pair[K, V]) Swap() {}

// NewStop makes one.
func NewStop(name string) *Stop {
	return &Stop{Name: name, weight: 0}
}

func plan(items []*Stop, limit int) (map[string]float64, error) {
	found := make(map[string]float64)
	for index, item := range items {
		if index > limit {
			break
		}
		rate := item.Rate(1.0)
		found[item.Name] = rate
		if rate := rates.Charge(item); rate > 2 {
			fmt.Println(str.ToUpper(item.Name), rate, Sqrt(2))
		}
	}
	stop := NewStop("a")
	stop.Heavier(items[0])
	var local int = Limit
	switch v := any(stop).(type) {
	case Rater:
		v.Rate(2)
	}
	go func(n int) {
		fmt.Println(n, local)
	}(1)
	return found, nil
}

func Max[T int | float64](a, b T) T {
	if a > b {
		return a
	}
	return b
}

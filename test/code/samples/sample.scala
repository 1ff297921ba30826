package org.example.ships

import scala.collection.mutable
import org.example.rates.{Rate, Price => Cost}
import org.example.money._

/** Something with a rate. */
trait Rated[T] {
  val base: Int
  def rate(factor: Double): Double
  def label: String = "rated"
}

/** A place on a route. */
class Stop(val name: String, private var weight: Double = 0.0) extends Base(name) with Rated[Int] {
  private val tags = mutable.ListBuffer[String]()
  var height: Double = 1.0
  lazy val base: Int = 1
  type Name = String

  def this(name: String) = this(name, 1.0)

  override def rate(factor: Double): Double = {
    val mine = this.weight * factor
    mine + helper(tags.size)
  }

  private def helper(value: Int): Double = {
    val made = new Stop("x")
    for (one <- List(1, 2)) {
      made.rate(one)
    }
    made.height
  }

  class Part {
    val depth = 1
  }
}

object Stop {
  val Kind = "stop"
  def parse(line: String): Stop = new Stop(line)
  implicit def toName(stop: Stop): String = stop.name
}

abstract class Base(id: String)

case class Point(x: Int, y: Int) {
  def sum: Int = x + y
}

sealed trait Result
case object Empty extends Result
final case class Full(stop: Stop) extends Result

object Main extends App {
  type Stops = List[Stop]
  val limit = 40
  var (first, second) = (1, 2)

  def plan[T <: Rated[Int]](items: List[T], limit: Int = 3)(by: T => Double): Int = {
    var total = 0
    items.foreach { item => total += item.rate(1.0).toInt }
    items.map(_.label)
    items match {
      case Nil => println("none")
      case head :: rest => println(head.label + rest.size)
    }
    try {
      Stop.parse("a").rate(2.0)
    } catch {
      case error: Exception => println(error)
    }
    val Point(x, y) = Point(1, 2)
    def inner(n: Int): Int = n + x
    total + inner(y)
  }

  println(plan(Nil)(_ => 1.0))
}

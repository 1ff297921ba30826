package org.example.ships

import java.util.Date
import org.example.rates.Rate as Price
import org.example.money.*

/** How much fits. */
const val LIMIT = 40
private var cache: Map<String, Int> = mapOf()
val lazyName: String by lazy { "a" }

typealias Stops = List<Stop>

/** A place on a route. */
open class Stop(val name: String, protected var weight: Double = 0.0, hint: Int) : Base(name), Rated {
    private val tags = mutableListOf<String>()
    var height: Double = 1.0
        get() = field
        set(value) { field = value }

    init {
        tags.add(name)
    }

    constructor(name: String) : this(name, 1.0, 2)

    override fun rate(factor: Double): Double {
        val mine = this.weight * factor
        return mine + helper(tags)
    }

    private fun helper(list: List<String>): Double = list.size.toDouble()

    companion object {
        const val KIND = "stop"
        fun parse(line: String): Stop = Stop(line)
    }

    inner class Part {
        fun touch() = weight
    }
}

interface Rated {
    val base: Int
    fun rate(factor: Double): Double
    fun label() = "rated"
}

enum class Color(val code: String) {
    RED("r"),
    BLUE("b");

    fun dark() = this == BLUE
}

data class Point(val x: Int, val y: Int)

sealed class Result {
    object Empty : Result()
    data class Full(val stop: Stop) : Result()
}

object Registry {
    val stops = ArrayList<Stop>()
    fun register(stop: Stop) {
        stops.add(stop)
    }
}

abstract class Base(val id: String)

annotation class Marked

fun <T : Rated> best(items: List<T>, by: (T) -> Double): T? {
    var found: T? = null
    for (item in items) {
        if (found == null || by(item) > by(found)) found = item
    }
    val (x, y) = Point(1, 2)
    items.forEach { it.rate(1.0) }
    items.map { one -> one.label() }
    when (val size = items.size) {
        0 -> println(size + x + y)
    }
    try {
        Registry.register(Stop.parse("a"))
    } catch (error: Exception) {
        println(error)
    }
    return found
}

fun Stop.twice(): Double = rate(2.0)

private suspend fun hidden() {}

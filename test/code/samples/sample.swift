// Ships parcels between depots.
import Foundation
import struct Shared.Money

/// How much fits.
let limit = 40
private var cache: [String: Int] = [:]

typealias Stops = [Stop]

/// Something with a rate.
public protocol Rated: AnyObject {
    associatedtype Output
    var base: Int { get }
    func rate(factor: Double) -> Double
}

/// Marks on a parcel.
enum Color: String {
    case red
    case blue = "b"
    case custom(depth: Int, String)

    var dark: Bool { return self == .blue }
}

/// A place on a route.
open class Stop: Base, Rated {
    static let kind = "stop"
    public let name: String
    private(set) var weight: Double = 0.0
    var base: Int {
        get { return 1 }
    }

    public init(name: String, depot: Depot? = nil) {
        self.name = name
        super.init(id: name)
    }

    deinit {
        print("gone")
    }

    /// Rates it.
    public func rate(factor: Double) -> Double {
        let mine = self.weight * factor
        guard let first = items.first else { return helper(1) }
        return mine + first.weight
    }

    private func helper(_ value: Int) -> Double {
        let made = Stop(name: "x")
        for one in [1, 2] {
            _ = made.rate(factor: Double(one + value))
        }
        return made.weight
    }

    static func parse(line: String) -> Stop {
        return Stop(name: line)
    }

    subscript(index: Int) -> Int {
        return index
    }

    struct Part {
        var depth: Int
    }
}

struct Point {
    var x: Int, y: Int
    mutating func move(by delta: Int) {
        x += delta
    }
}

extension Stop {
    func twice() -> Double {
        return rate(factor: 2.0)
    }
}

extension Point: CustomStringConvertible {
    var description: String { "point" }
}

actor Registry {
    var stops: [Stop] = []
    func register(_ stop: Stop) {
        stops.append(stop)
    }
}

public func plan<T: Rated>(items: [T], limit: Int = 3) throws -> Int {
    var total = 0
    items.forEach { item in
        total += Int(item.rate(factor: 1))
    }
    if let first = items.first {
        print(first, limit)
    }
    do {
        try check(total)
    } catch {
        throw error
    }
    switch Color.red {
    case .custom(let depth, _): total += depth
    default: break
    }
    return total
}

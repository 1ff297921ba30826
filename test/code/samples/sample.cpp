// Ships parcels between depots.
#include <string>
#include <vector>
#include "rates.hpp"

#define LIMIT 40

using namespace std;
using money::Price;
using Names = std::vector<std::string>;

namespace ships {

/// Marks on a parcel.
enum class Color { Red, Blue = 4 };
enum Size { Small, Large };

const int kMax = 3;
extern int shared;

/** A place on a route. */
class Stop : public Base, private rates::Rated {
public:
    explicit Stop(const std::string &name);
    ~Stop();
    virtual double rate(double factor) const = 0;
    bool heavier(const Stop &other) const { return weight_ > other.weight_; }
    static Stop *parse(const std::string &line);
    bool operator==(const Stop &other) const;

    struct Part {
        int depth;
    };

protected:
    int id = 0;

private:
    std::string name_;
    double weight_;
};

struct Point {
    int x, y;
    int sum() const { return x + y; }
};

template <typename T>
class Box {
public:
    T value;
    T get() { return value; }
};

template <typename T>
T biggest(const T &a, const T &b) {
    return a > b ? a : b;
}

typedef unsigned long size_type;

union Bits {
    int whole;
    float part;
};

namespace inner {
int depth(int value);
}

} // namespace ships

namespace {
int hidden = 1;
}

ships::Stop::Stop(const std::string &name) : name_(name), weight_(0) {}

double ships::Stop::rate(double factor) const {
    return weight_ * factor;
}

int ships::inner::depth(int value) {
    return value;
}

static int plan(std::vector<ships::Stop *> &items, size_t limit) {
    int total = 0;
    for (auto *item : items) {
        total += item->rate(2.0);
    }
    auto add = [&total](int more) { total += more; };
    add(LIMIT);
    ships::Point point{1, 2};
    try {
        total += point.sum();
    } catch (const std::exception &error) {
        throw;
    }
    return total;
}

int main(int argc, char **argv) {
    ships::Box<int> *box = new ships::Box<int>();
    std::vector<ships::Stop *> none;
    return plan(none, box->get()) + biggest(1, 2);
}

using System;
using System.Collections.Generic;
using Money = Example.Shared.Money;
using static System.Math;

namespace Example.Ships
{
    /// <summary>Marks on a parcel.</summary>
    public enum Color
    {
        Red,
        Blue = 4,
    }

    public delegate int Compare(Stop a, Stop b);

    /// <summary>A place on a route.</summary>
    [Serializable]
    public class Stop : Base, IRated
    {
        public const int Limit = 40;
        private readonly string name;
        protected double weight = 0.0, height;
        public event EventHandler Moved;

        public string Name { get; set; }
        public int Size => name.Length;

        public Stop(string name) : base(name)
        {
            this.name = name;
        }

        ~Stop() { }

        public double Rate(double factor)
        {
            var mine = this.weight * factor;
            return mine + Helper(1);
        }

        private static double Helper(int value, params int[] rest)
        {
            Stop made = new Stop("x");
            made.Name = "y";
            foreach (var one in rest)
            {
                made.Rate(one);
            }
            Func<int, int> twice = n => n * 2;
            return Max(twice(value), Limit);
        }

        public T Choose<T>(T one, T two) where T : IRated
        {
            return one.Rate(1) > two.Rate(1) ? one : two;
        }

        public static bool operator ==(Stop a, Stop b) => a.Name == b.Name;

        public string this[int index]
        {
            get { return name; }
        }

        private class Part
        {
            public int Depth;
        }
    }

    public interface IRated
    {
        double Rate(double factor);
        string Label { get; }
    }

    public struct Point
    {
        public int X, Y;
    }

    public record Person(string First, string Last);

    internal static class Extensions
    {
        public static double Twice(this Stop stop)
        {
            try
            {
                return stop.Rate(2);
            }
            catch (Exception error)
            {
                Console.WriteLine(error);
                throw;
            }
        }
    }

    public abstract class Base
    {
        protected Base(string id) { }
        public abstract void Move();
    }
}

package main

import (
	"os"
	"runtime"
	"runtime/pprof"
	"sort"
	"strings"
)

type pot struct{ parts []string }

func (p *pot) stir(depth int) int {
	if depth == 0 {
		return p.taste()
	}
	n := p.stir(depth-1) + spice(depth)
	return n
}

func (p *pot) taste() int {
	n := 0
	for i := 0; i < 3000; i++ {
		n += len(p.parts[i%len(p.parts)])
	}
	return n
}

func spice(n int) int { // small enough to be inlined
	s := 0
	for i := 0; i < 2000; i++ {
		s += i % (n + 1)
	}
	return s
}

func even(n int) int {
	if n == 0 {
		return spice(3)
	}
	return odd(n-1) + 1
}

func odd(n int) int { return even(n-1) + spice(n)%2 }

var kept []string

func main() {
	runtime.MemProfileRate = 512
	cpu, _ := os.Create("cpu.gz")
	pprof.StartCPUProfile(cpu)
	p := &pot{strings.Fields("carrots leek onions potatoes celery")}
	total := 0
	for i := 0; i < 12000; i++ {
		total += p.stir(i % 5)
		total += even(10)
		words := strings.Fields(strings.Repeat("salt ", 20))
		sort.Strings(words)
		if i%100 == 0 {
			kept = append(kept, strings.Join(words, ","))
		}
	}
	pprof.StopCPUProfile()
	cpu.Close()
	runtime.GC()
	heap, _ := os.Create("heap.gz")
	pprof.WriteHeapProfile(heap)
	heap.Close()
	println(total)
}

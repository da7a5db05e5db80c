<?php
namespace Shop;
// line 3
// line 4
// line 5
// line 6
// line 7
// line 8
// line 9
// line 10
// line 11
    public function total(): int {
        $sum = 0;
        $line = str_repeat('-', 3);
// line 15
// line 16
// line 17
// line 18
// line 19
        return array_map(static fn ($item) =>
            $item->price,
            $this->items);
    }

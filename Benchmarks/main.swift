print("ra-bench")

print("ra-run")

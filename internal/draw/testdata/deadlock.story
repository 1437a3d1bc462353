# A cycle is broken: the youngest is aborted and loses what it has (R16, R18, R19).
["acquire", 0, "H", "L", 100]
["acquire", 10, "Z", "M", 100]
["acquire", 20, "Y", "L", 100]
["acquire", 30, "H", "M", 100]
["acquire", 40, "Z", "L", 100]
["write", 50, "M", "k", "v", 1]
["write", 52, "M", "k", "v", 9]
["release", 60, "H", "M"]

{
  "redblue" : "certificate",
              "version" : 1,
              "theorem" : "compulsory",
                          "models" : [ "recompute", "one-shot", "placing", "sliding", "partial" ],
                                     "M" : 3,
                                     "value" : 2,
                                     "parameters" : {},
                                                    "cdag"
      : {
        "name" : "hypercube",
        "edges" : "16 32\u000a0 1\u000a0 2\u000a2 3\u000a1 3\u000a0 4\u000a4 5\u000a1 5\u000a4 6\u000a2 6\u000a6 "
                  "7\u000a5 7\u000a3 7\u000a0 8\u000a8 9\u000a1 9\u000a8 10\u000a2 10\u000a10 11\u000a9 11\u000a3 "
                  "11\u000a8 12\u000a4 12\u000a12 13\u000a9 13\u000a5 13\u000a12 14\u000a10 14\u000a6 14\u000a14 "
                  "15\u000a13 15\u000a11 15\u000a7 15\u000a"
      },
        "digest" : "2eda2fca11b18aa5"
}

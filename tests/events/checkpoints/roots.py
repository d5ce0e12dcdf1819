"""Roots of small trees, as other implementations of RFC 6962 compute them."""

ROOTS = (
    "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
    "a20bf9a7cc2dc8a08f5f415a71b19f6ac427bab54d24eec868b5d3103449953a",
    "3b6cccd7e3e023ff393006f030315ee7ad9eb111b022b41fba7e5b7a3973f688",
    "9bcd51240af4005168f033121ba85be5a6ed4f0e6a5fac262066729b8fbfdecb",
    "b855b42d6c30f5b087e05266783fbd6e394f7b926013ccaa67700a8b0c5a596f",
    "bb36e7d3d4cee5720cbd323d02fab15962e2ba1dadf5f8fc6eeef4fd6ad056a8",
    "3560191803028444b232018ac047fdb561c09c23a7a6876c85e08b5e4d48e9f3",
    "ef7f49b620f6c7ea9b963a214da34b5021c6ded8ed57734380a311ab726aa907",
)
"""Roots of trees whose leaf i is the one byte i, by size."""

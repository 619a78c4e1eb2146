// Published packages that contain the bytecode of deployed contracts. Only their artifacts are used, only in tests and
// development. They are not among our dependencies: their own dependencies are build tools that we do not need, and some
// licences (GPL, BUSL) do not belong in what we deploy.
export type Package = {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Of the tarball, as in a lockfile. */
  readonly integrity: string;
};

export const packages = [
  {
    name: "canonical-weth",
    version: "1.4.0",
    licence: "GPL-3.0",
    integrity:
      "sha512-9rkLfAFndWALLhxd5lpyTX4RkV36WmVBZ92NYtYr1kWdAUmclRp7I5KkK4wvogzDcCI++yw53TLwx/GCPcocMg==",
  },
  {
    name: "@uniswap/v2-core",
    version: "1.0.1",
    licence: "GPL-3.0-or-later",
    integrity:
      "sha512-MtybtkUPSyysqLY2U210NBDeCHX+ltHt3oADGdjqoThZaFRDKwM6k1Nb3F0A3hk5hwuQvytFWhrWHOEq6nVJ8Q==",
  },
  {
    name: "@uniswap/v2-periphery",
    version: "1.1.0-beta.0",
    licence: "GPL-3.0-or-later",
    integrity:
      "sha512-6dkwAMKza8nzqYiXEr2D86dgW3TTavUvCR0w2Tu33bAbM8Ah43LKAzH7oKKPRT5VJQaMi1jtkGs1E8JPor1n5g==",
  },
  {
    name: "@uniswap/v3-core",
    version: "1.0.1",
    licence: "BUSL-1.1, GPL-2.0-or-later since 2023-04-01",
    integrity:
      "sha512-7pVk4hEm00j9tc71Y9+ssYpO6ytkeI0y7WE9P6UcmNzhxPePwyAxImuhVsTqWK9YFvzgtvzJHi64pBl4jUzKMQ==",
  },
  {
    name: "@uniswap/v3-periphery",
    version: "1.4.4",
    licence: "GPL-2.0-or-later",
    integrity:
      "sha512-S4+m+wh8HbWSO3DKk4LwUCPZJTpCugIsHrWR86m/OrUyvSqGDTXKFfc2sMuGXCZrD1ZqO3rhQsKgdWg3Hbb2Kw==",
  },
  {
    name: "@uniswap/v4-periphery",
    version: "1.0.3",
    licence: "MIT",
    integrity:
      "sha512-JxLL0Djv9XcMvI2PatEnWrCrxuEaYNVhHxstndBOP+aJfh1XLg5ec8SDZ0xyoVfg2ElJTvuKpBgnu90bNValsg==",
  },
  {
    name: "@uniswap/universal-router",
    version: "2.1.0",
    licence: "GPL-2.0-or-later",
    integrity:
      "sha512-rt18RUsZd9xDfyVfIONJo+TEQ8w+olOYxu9+A1g4Thil1R7IMa+8mnyVQjdLPK2REhejScDwjYbOGpeaAce0hg==",
  },
  {
    name: "@safe-global/safe-contracts",
    version: "1.4.1",
    licence: "LGPL-3.0",
    integrity:
      "sha512-fP1jewywSwsIniM04NsqPyVRFKPMAuirC3ftA/TA4X3Zc5EnwQp/UCJUU2PL/37/z/jMo8UUaJ+pnFNWmMU7dQ==",
  },
  {
    name: "@aave/core-v3",
    version: "1.19.3",
    licence: "BUSL-1.1, MIT since 2023-01-27",
    integrity:
      "sha512-Xr7+VcoU5b4mPwM4IUCnskw3lciwrnL4Xloyad8GOddYeixnri2lZYobNmErm1LwE50vqjI0O+9QGNKY2TDkeQ==",
  },
  {
    name: "@ensdomains/ens",
    version: "0.6.2",
    licence: "CC0-1.0",
    integrity:
      "sha512-F3ALgp60HZq3rKqNig7H/rAlBB0zuz4C9q2weCoiPjSW91uvjetXhCGBU2YJCD1tyuKnO/KqTDzUN5Dc8HLlaQ==",
  },
  {
    name: "@ensdomains/ethregistrar",
    version: "2.0.5",
    licence: "ISC",
    integrity:
      "sha512-jd1Ca9m0HsfIJQ+dqmyrVBF3fXVDUnzMQmJU1IxydJVvqPq0Ijh/aP/8YoPjLpuzlfnTqUdX0VIAZvTCMw4Tag==",
  },
  {
    name: "@ensdomains/resolver",
    version: "0.3.1",
    licence: "not stated",
    integrity:
      "sha512-cXY7nomODddJ59pvkwkxp7StgKcv8Xb0OhQE/pCe80448T8tELPGEghf2thtjz4+4f+c7mt8XJQ04Y0Guc0lnA==",
  },
  {
    name: "@account-abstraction/contracts",
    version: "0.7.0",
    licence: "GPL-3.0 (EntryPoint), MIT",
    integrity:
      "sha512-Bt/66ilu3u8I9+vFZ9fTd+cWs55fdb9J5YKfrhsrFafH1drkzwuCSL/xEot1GGyXXNJLQuXbMRztQPyelNbY1A==",
  },
  {
    name: "@account-abstraction/contracts",
    version: "0.8.0",
    licence: "MIT",
    integrity:
      "sha512-8krPx/gpnoT+5xAroagVCbeA7FbUigMZWXFKKPm+oghyr29Dksssdx5sI7xGv9212i4JPaDDUGFk58dpuwVgHA==",
  },
] as const satisfies readonly Package[];

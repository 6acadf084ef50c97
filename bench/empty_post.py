"""The least that Litestar can do: an empty POST, for comparison."""

import sys

import uvicorn
from litestar import Litestar, post


@post("/", status_code=204)
async def nothing() -> None:
    """Answer with nothing."""


if __name__ == "__main__":
    app = Litestar([nothing], openapi_config=None, logging_config=None)
    uvicorn.run(app, port=int(sys.argv[1]), log_config=None, access_log=False, server_header=False)

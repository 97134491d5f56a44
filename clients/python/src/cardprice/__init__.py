"""Calls a Cardprice service: prices of trading cards of eight games."""

from cardprice import types
from cardprice._cache import Cache, CachedAnswer, MemoryCache
from cardprice._client import AsyncCardprice, Cardprice
from cardprice._dataframe import to_dataframe
from cardprice._errors import CardpriceError
from cardprice._pages import AsyncPages, Pages
from cardprice._transport import Quota

__all__ = [
    "AsyncCardprice",
    "AsyncPages",
    "Cache",
    "CachedAnswer",
    "Cardprice",
    "CardpriceError",
    "MemoryCache",
    "Pages",
    "Quota",
    "to_dataframe",
    "types",
]

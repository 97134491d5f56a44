"""The error of a call."""

from collections.abc import Sequence

from cardprice.types import ParameterProblem


class CardpriceError(Exception):
    """A call that failed. Decide by ``code``: codes are stable, messages are for people.

    Besides the codes of the service, there are ``NO_ANSWER`` if it could not be reached,
    ``TIMEOUT`` if it took too long, and ``UNREADABLE_ANSWER`` if something else answered.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        documentation: str,
        status: int = 0,
        request_id: str | None = None,
        details: Sequence[ParameterProblem] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        #: The page that explains the codes.
        self.documentation = documentation
        #: The HTTP status; 0 without an answer.
        self.status = status
        #: The id of the request in the log of the service.
        self.request_id = request_id
        #: What is wrong with which parameter.
        self.details = details
        #: After how many seconds the call may be repeated, if the service said so.
        self.retry_after = retry_after

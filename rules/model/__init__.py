"""The typed rule language as data: frozen nodes in closed unions, as the author wrote them."""

from rules.model.clauses import *  # noqa: F403
from rules.model.declarations import *  # noqa: F403
from rules.model.expressions import *  # noqa: F403
from rules.model.norms import *  # noqa: F403
from rules.model.statements import *  # noqa: F403

"""The typed rule language as data: frozen nodes in closed unions, as the author wrote them."""

from rules.model.clauses import *
from rules.model.declarations import *
from rules.model.expressions import *
from rules.model.norms import *
from rules.model.statements import *

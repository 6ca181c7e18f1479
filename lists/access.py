"""Army lists belong to one person: nobody else sees them, staff included. Anything else is a 404."""

from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from lists.models import ArmyList


def list_for(request: HttpRequest, pk: UUID) -> ArmyList:
    """Return an army list of the reader's. Raises Http404 for one of somebody else."""
    return get_object_or_404(ArmyList, pk=pk, owner=request.user.pk)

"""Army lists belong to one person: nobody else sees them, staff included. Anything else is a 404."""

from uuid import UUID

from django.http import Http404, HttpRequest

from lists.models import ArmyList


def list_for(request: HttpRequest, pk: UUID) -> ArmyList:
    """Return an army list of the reader's. Raises Http404 for one of somebody else."""
    if (found := ArmyList.objects.filter(pk=pk, owner=request.user.pk).first()) is None:
        raise Http404("No such army list")
    return found

"""URLs of battles: planning, armies, the table, reports, the sequence and amendments."""

from django.urls import URLPattern, path

from campaign.battles.views import amendments, battles, print as printing, reports, sequence, table

app_name = "battles"
urlpatterns: list[URLPattern] = [
    path("campaigns/<uuid:pk>/compare/", battles.compare, name="compare"),
    path("campaigns/<uuid:pk>/battles/new/", battles.plan, name="plan"),
    path("registers/<uuid:pk>/battles/", battles.solo, name="solo"),
    path("campaigns/<uuid:pk>/battles/print/", printing.print_day, name="print_day"),
    path("battles/<uuid:pk>/", battles.detail, name="detail"),
    path("battles/<uuid:pk>/poll/", battles.poll, name="poll"),
    path("battles/<uuid:pk>/plan/", battles.replan, name="replan"),
    path("battles/<uuid:pk>/mission/", battles.change_mission, name="mission"),
    path("battles/<uuid:pk>/begin/", battles.begin, name="begin"),
    path("battles/<uuid:pk>/cancel/", battles.cancel, name="cancel"),
    path("battles/<uuid:pk>/dice/", battles.dice_of_battle, name="dice"),
    path("battles/<uuid:pk>/dice/file/", battles.dice_file, name="dice_file"),
    path("battles/<uuid:pk>/print/", printing.print_armies, name="print"),
    path("battles/<uuid:pk>/table/", table.at_table, name="table"),
    path("battles/offline/", table.offline, name="offline"),
    path("battles/table-worker.js", table.table_worker, name="table_worker"),
    path("battles/<uuid:pk>/report/", reports.report, name="report"),
    path("battles/<uuid:pk>/confirm/", reports.confirm_report, name="confirm"),
    path("battles/<uuid:pk>/dispute/", reports.dispute, name="dispute"),
    path("battles/<uuid:pk>/settle/", reports.settle, name="settle"),
    path("battles/<uuid:pk>/sequence/", sequence.own_sequence, name="sequence"),
    path("battles/<uuid:pk>/sequence/<str:colour>/", sequence.sequence_page, name="sequence_side"),
    path("battles/<uuid:pk>/sequence/<str:colour>/poll/", sequence.poll, name="sequence_poll"),
    path("battles/<uuid:pk>/amend/", amendments.amend, name="amend"),
    path("battles/<uuid:pk>/report/correct/", amendments.correct_report, name="correct_report"),
    path("amendments/<uuid:pk>/", amendments.amendment, name="amendment"),
    path("battles/<uuid:pk>/sequence/<str:colour>/undo/", sequence.undo, name="undo"),
    path("sides/<int:pk>/list/", battles.as_list, name="list_export"),
    path("sides/<int:pk>/list/<slug:which>/", battles.as_file, name="list_file"),
    path("sides/<int:pk>/word/", battles.dice_word, name="dice_word"),
    path("sides/<int:pk>/act-for/", battles.act_for, name="act_for"),
    path("sides/<int:pk>/army/list/", battles.choose_army_from_list, name="army_from_list"),
    path("sides/<int:pk>/army/", battles.choose_army, name="army"),
    path("sides/<int:pk>/agenda/", battles.choose_agenda, name="agenda"),
]

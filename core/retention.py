"""How long Musterbook keeps what nobody needs for ever. The jobs that clean up read these times, and docs/privacy.md
lists them.
"""

from datetime import timedelta

#: A draft of a Register or an event that nobody has changed for this long is offered for deletion.
DRAFT_UNTOUCHED = timedelta(days=60)
#: A deleted campaign can be restored for this long, and is then removed.
IN_BIN = timedelta(days=30)
#: A demo that a visitor tries is deleted after this time.
DEMO = timedelta(hours=2)
#: A file of a campaign or an event that was uploaded and not imported, and one that was not written to its end.
UPLOADED_FILE = timedelta(days=1)
#: A picture that nothing shows, and a part of an upload.
UNUSED_PICTURE = timedelta(hours=1)
#: A sent notification to a person is kept for this long, so that it is not sent again.
NOTIFICATION = timedelta(days=90)
#: The push service of a browser keeps a message for a device that is off for this long.
PUSH_MESSAGE = timedelta(days=2)
#: A background job that has finished.
FINISHED_JOB = timedelta(days=7)

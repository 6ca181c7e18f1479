app_name = "campaign"
urlpatterns = []

app_name = "registers"
urlpatterns = []

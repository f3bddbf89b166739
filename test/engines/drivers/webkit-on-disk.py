#!/usr/bin/python3
# A browser for WebKitWebDriver with its profile on disk, as Safari has it. MiniBrowser keeps it in memory when it is
# driven, and WebKit's IndexedDB has two backends: https://github.com/WebKit/WebKit/tree/main/Source/WebCore/Modules/indexeddb/server
import os

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gio, GLib, Gtk, WebKit2

profile = os.environ["INTAB_PROFILE"]
os.makedirs(profile, exist_ok=True)
folders = {"base_data_directory": profile + "/data", "base_cache_directory": profile + "/cache"}
room = os.environ["INTAB_ROOM"]
if room:
    # A share of the disk, for one origin.
    disk = os.statvfs(profile)
    folders["origin_storage_ratio"] = int(room) / (disk.f_blocks * disk.f_frsize)
data = WebKit2.WebsiteDataManager(**folders)
context = WebKit2.WebContext(website_data_manager=data)
context.set_automation_allowed(True)
# A tab behind another is hidden.
tabs = Gtk.Notebook(show_tabs=False)
window = Gtk.Window(default_width=1280, default_height=1000)
window.add(tabs)
window.show_all()


def open_tab(driven):
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=driven)
    view.get_settings().set_enable_page_cache(True)
    view.connect("close", lambda closed: closed.destroy())
    view.show()
    tabs.set_current_page(tabs.append_page(view))
    return view


def open_apart(_monitor, file, _other, event):
    if event == Gio.FileMonitorEvent.CHANGES_DONE_HINT:
        view = open_tab(driven=False)
        view.connect("web-process-terminated", lambda dead, _reason: GLib.idle_add(dead.destroy))
        view.load_uri(file.load_contents()[1].decode())


def started(_context, session):
    application = WebKit2.ApplicationInfo()
    application.set_name("WebKitGTK")
    application.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version())
    session.set_application_info(application)
    session.connect("create-web-view", lambda _session: open_tab(driven=True))


context.connect("automation-started", started)
# A tab that is not driven, for each address that is written here.
monitor = Gio.File.new_for_path(profile + "/apart").monitor_file(Gio.FileMonitorFlags.NONE)
monitor.connect("changed", open_apart)
Gtk.main()

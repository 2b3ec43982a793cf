"""Entry: page config, and navigation over pages/."""

from app.navigation import open_page

open_page()

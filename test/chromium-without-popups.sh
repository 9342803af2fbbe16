#!/usr/bin/env bash
# Starts CHROMIUM without the pages that it prepares for the popup of each window's address bar, which nobody opens: they
# take 0.9 s of processor for each window. A second list of features would replace that of playwright-core, so the names are
# put into it.
exec "$CHROMIUM" "${@/#--disable-features=/--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,}"

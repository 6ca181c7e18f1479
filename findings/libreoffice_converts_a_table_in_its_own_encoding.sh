#!/usr/bin/env bash
# Guess:    a CSV file that begins with a byte order mark is read as UTF-8 everywhere, and a cell such as '3/2 with an
#           apostrophe in front stays the same text in every spreadsheet.
# Happens:  `soffice --convert-to` reads the mark as letters (ï»¿) and every accent as two, unless the filter names the
#           encoding (76 is UTF-8); the window of LibreOffice asks, and finds it. Gnumeric takes the mark, and drops the
#           apostrophe: it is how one types a text there. So a name such as 't Hooft loses its first letter in Gnumeric.
# Hurt:     who converts tables in a script, and who guards cells against dates and formulas with an apostrophe.
# Versions: LibreOffice 7.4.7 and Gnumeric 1.12.55 (Debian 12: libreoffice-calc-nogui, gnumeric).
set -euo pipefail
for program in soffice ssconvert; do
    command -v "$program" > /dev/null || { echo "skipped: no $program"; exit 0; }
done
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder"
printf "\xef\xbb\xbfZoë\n'3/2\n't Hooft\n" > table.csv

converted() {  # $1: folder, $2: import filter
    soffice "-env:UserInstallation=file://$folder/profile" --headless ${2:+"--infilter=$2"} \
        --convert-to 'csv:Text - txt - csv (StarCalc):44,34,76' --outdir "$1" table.csv > /dev/null 2>&1
    paste -sd'|' "$1/table.csv"
}
plain=$(converted plain "") && named=$(converted named CSV:44,34,76)
gnumeric=$(ssconvert --export-type=Gnumeric_stf:stf_csv table.csv fd://1 2> /dev/null | paste -sd'|')
echo "LibreOffice, no filter:  $plain"
echo "LibreOffice, UTF-8:      $named"
echo "Gnumeric:                $gnumeric"
[[ $plain != *Zoë* && $named == *"Zoë|'3/2|'t Hooft" && $gnumeric == 'Zoë|3/2|"t Hooft"' ]]

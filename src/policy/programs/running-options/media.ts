import type {OptionRow} from './option-row.ts';

/** Pictures, sound, documents and archives. */
export const MEDIA: readonly OptionRow[] = [
  {
    names: 'convert magick mogrify identify composite montage import display animate compare conjure stream gm',
    source: 'ImageMagick › Command-line Options, Security Policy',
    words: [
      /^(?:ephemeral|msl|mvg|msvg|svg|url|https?|ftp|text|label|caption|inline|show|win|x|x11|plt|gnuplot|man|scan|popen|fd|ps|eps|pdf|xps|pict|video|mpeg|mpg):/i,
      /^@/,
      /^-(?:script|process|write|cache)$|^-(?:define|debug)=/,
      /^\|/,
    ],
    single: 'script process',
  },
  {
    names: 'ffmpeg ffprobe ffplay avconv',
    source: 'FFmpeg › ffmpeg, Protocols, Filters',
    words: [
      /(?:^|[[\],;=:'\s])(?:a?movie|subtitles|ass|ladspa|frei0r\w*|lv2|sendcmd|asendcmd|zmq|azmq|lut3d|lut1d|drawtext=.*(?:textfile|fontfile)|dnn_\w+|tensorflow|ocr|model|arnndn|afir|removelogo|program_opencl|libvmaf|metadata=.*file)=/,
      /(?:^|\|)(?:concat|subfile|tee|crypto|async|cache|file|data|pipe|unix|ftp|sftp|smb|gopher|rtmp\w*|srt|tcp|udp|bluray|fd):/,
    ],
    single: `filter_script filter_complex_script vstats_file dump_attachment attach sdp_file passlogfile report fpre vpre apre spre progress init_hw_device
    safe protocol_whitelist vstats qphist plugin`,
  },
  {
    names: 'sox play rec soxi',
    source: 'sox(1) › Input File types; --effects-file',
    words: [/^\|/],
    long: 'effects-file temp plot',
    own: 'p',
  },
  {
    names: 'mpv',
    source: 'mpv(1)',
    single: `script scripts script-opts input-ipc-server input-ipc-client input-conf input-commands config-dir include load-scripts ytdl-raw-options stream-record
    stream-dump dump-stats screenshot-dir screenshot-directory log-file o of watch-later-dir watch-later-directory record-file lavfi-complex vo-image-outdir`,
  },
  {
    names: 'vlc cvlc mplayer mencoder',
    source: 'the manual of each',
    single: 'sout extraintf intf lua config logfile one-instance dumpfile include dumpstream ao vo o',
    short: 'I',
  },
  {
    names: 'gs ghostscript ps2pdf',
    source: 'Ghostscript › Invoking',
    words: [/^-(?:dNOSAFER|dDELAYSAFER|sOutputFile=[%|]|o[%|]|c$|I|sFONTPATH|--permit)|%pipe%/, /^--permit/],
  },
  {
    names: 'pdflatex latex xelatex lualatex luatex tex pdftex etex platex context luahbtex',
    source: 'tex(1), web2c › Shell escapes',
    single:
      'shell-escape enable-write18 shell-restricted ini fmt cnf-line output-directory lua luaonly progname parse-first-line translate-file tcx',
    words: [/^\\|\\(?:input|write18|openout|directlua)/],
  },
  {
    names: 'latexmk',
    source: 'latexmk(1)',
    single: 'pdflatex latex xelatex lualatex usepretex pretex shell-escape pdflatex outdir auxdir out2dir view print-command new-viewer',
    words: [/^-[er]$|^-r.|^-e.|^-(?:pdf|x|lua|dvi)?latex=|^-pvc?$/],
    own: 'x',
  },
  {names: 'tectonic', source: 'tectonic › CLI', short: 'Z', actions: /watch|bundle/},
  {names: 'dvips bibtex biber', source: 'dvips(1)', words: [/^-o[!|]|^[!|]/, /^-R0$/]},
  {
    names: 'asciidoctor asciidoctor-pdf',
    source: 'asciidoctor(1)',
    short: 'rTIS',
    valued: 'rTISoDBabd',
    long: 'require template-dir load-path safe-mode',
  },
  {names: 'pandoc', source: 'Pandoc › Options', short: 'd', long: 'data-dir pdf-engine-opt include-in-header'},
  {
    names: 'exiftool',
    source: 'exiftool(1)',
    words: [
      /^-(?:config|if\d*|@|p|o|tagsFromFile|execute|w\d*!?\+?|W\+?!?|textOut\d*|out|use|geotag|stay_open|userParam|api|b)$/i,
      /^-\w+<=/,
      /^-(?:htmlDump)/,
    ],
  },
  {
    names: 'blender',
    source: 'Blender › Command Line Arguments',
    short: 'Py',
    long: 'python python-expr python-text python-console enable-autoexec addons command app-template',
    words: [/^--?(?:python|command)/],
  },
  {
    names: 'soffice libreoffice lowriter localc',
    source: 'LibreOffice › Starting with parameters',
    words: [/^(?:macro|vnd\.sun\.star\.script|vnd\.\w+):/i, /^-env:/, /^--?(?:accept|script-cat|infilter)/],
  },
  {
    names: 'chromium chromium-browser google-chrome chrome msedge brave',
    source: 'Chromium › command line switches',
    long: `renderer-cmd-prefix utility-cmd-prefix gpu-launcher ppapi-plugin-launcher plugin-launcher browser-subprocess-path load-extension
    disable-extensions-except user-data-dir remote-debugging-port remote-debugging-pipe no-sandbox disable-web-security screenshot print-to-pdf
    proxy-server host-rules allow-file-access-from-files auth-server-allowlist load-and-launch-app ssl-key-log-file log-net-log crash-dumps-dir js-flags`,
  },
  {
    names: 'firefox',
    source: 'Firefox › Command line options',
    single: 'profile remote-debugging-port start-debugger-server screenshot install-global-extension jsdebugger',
    short: 'P',
  },
  {names: 'inkscape', source: 'inkscape(1)', long: 'actions shell extension-directory user-data-directory batch-process'},
  {names: 'gimp gimp-console', source: 'gimp(1)', short: 'b', long: 'batch batch-interpreter system-gimprc gimprc'},
  {names: 'dot neato fdp sfdp twopi circo', source: 'dot(1)', short: 'lc', valued: 'TKGNElons'},
  {names: 'mmdc', source: 'mermaid-cli › Options', short: 'pcC', valued: 'pcCioew', long: 'puppeteerConfigFile configFile cssFile'},
  {names: 'plantuml', source: 'PlantUML › Command line', single: 'config preproc filename I DPLANTUML_SECURITY_PROFILE picoweb ftp'},
  {names: 'gnuplot', source: 'gnuplot › Command-line options', short: 'edc', words: [/^-$/]},
  {names: 'octave matlab maxima sage gap gp', source: 'the manual of each', single: 'eval r batch batch-string c path', words: [/^-$/]},
  {
    names: 'wkhtmltopdf wkhtmltoimage',
    source: 'wkhtmltopdf › Usage',
    long: 'run-script enable-local-file-access allow post-file cookie-jar user-style-sheet use-xserver xsl-style-sheet read-args-from-stdin cache-dir checkbox-svg',
  },
  {
    names: 'tar bsdtar gtar',
    source: 'tar(1)',
    long: 'to-command checkpoint-action info-script new-volume-script use-compress-program rsh-command rmt-command',
    words: [/^-?[a-zA-Z]+f(?:\/|~|\.\.\/)/],
  },
  {names: '7z 7za 7zr', source: '7-Zip › Command line', words: [/^-(?:sfx|w[./~]|i[@!]|t#)|^-o(?:\.\.|[/~])/]},
  {names: 'zip', source: 'zip(1)', long: 'unzip-command output-file'},
  {names: 'cpio', source: 'cpio(1)', kind: 'write', long: 'rsh-command rmt-command', words: [/^[\w.@-]+:/]},
  {names: 'star pax', source: 'star(1)', words: [/^-?(?:compress-program|rsh|new-volume-script)/]},
  {names: 'lrzip pigz rar unrar cabextract dar', source: 'the manual of each', kind: 'write', short: 'EB~', long: 'execute batch'},
];

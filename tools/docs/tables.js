// The style sheet of the theme has rules for tables of this class.
$('div.rst-content table').addClass('docutils');

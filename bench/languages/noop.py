"""A handler that does nothing, as a child of `postrider work --stay`."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "clients/python"))
from postrider import serve  # noqa: E402

serve({"*": lambda message: None})

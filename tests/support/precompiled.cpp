// Empty: its target exists for the precompiled headers of the tests.

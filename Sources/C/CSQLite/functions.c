// The functions of SQLite that this program calls.
#include <lazy_load.h>

LAZY_LOAD_NOTE("libsqlite3.so.0");
#define SQLITE(name) LAZY_LOAD("libsqlite3.so.0", name)
SQLITE(sqlite3_bind_blob);
SQLITE(sqlite3_bind_int64);
SQLITE(sqlite3_bind_null);
SQLITE(sqlite3_bind_parameter_count);
SQLITE(sqlite3_bind_text);
SQLITE(sqlite3_bind_zeroblob);
SQLITE(sqlite3_busy_timeout);
SQLITE(sqlite3_changes);
SQLITE(sqlite3_clear_bindings);
SQLITE(sqlite3_close);
SQLITE(sqlite3_column_blob);
SQLITE(sqlite3_column_bytes);
SQLITE(sqlite3_column_int64);
SQLITE(sqlite3_column_text);
SQLITE(sqlite3_column_type);
SQLITE(sqlite3_config);
SQLITE(sqlite3_db_handle);
SQLITE(sqlite3_db_release_memory);
SQLITE(sqlite3_errmsg);
SQLITE(sqlite3_errstr);
SQLITE(sqlite3_exec);
SQLITE(sqlite3_file_control);
SQLITE(sqlite3_finalize);
SQLITE(sqlite3_get_autocommit);
SQLITE(sqlite3_last_insert_rowid);
SQLITE(sqlite3_open_v2);
SQLITE(sqlite3_prepare_v2);
SQLITE(sqlite3_prepare_v3);
SQLITE(sqlite3_reset);
SQLITE(sqlite3_step);
SQLITE(sqlite3_total_changes64);
SQLITE(sqlite3_trace_v2);
SQLITE(sqlite3_vfs_find);
SQLITE(sqlite3_vfs_register);

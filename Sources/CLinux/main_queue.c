#include "main_queue.h"

#include <stddef.h>

int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *message);

int clinux_main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

void clinux_drain_main_queue(void) { _dispatch_main_queue_callback_4CF(NULL); }

/// libdispatch's main queue for a foreign loop on the main thread. Its header does not name these functions,
/// which CoreFoundation's run loop uses.
#ifndef CLINUX_MAIN_QUEUE_H
#define CLINUX_MAIN_QUEUE_H

/// An eventfd, readable while the queue has work. On the main thread only.
int clinux_main_queue_descriptor(void);

/// Runs what is in the queue. On the main thread only.
void clinux_drain_main_queue(void);

#endif

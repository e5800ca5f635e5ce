// A child's standard descriptors: the pipes, what comes out of them and what goes in.
#include <string.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/process/child_inner.h"

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room) {
    (void)wanted;
    struct ng_child *child = handle->data;
    *room = uv_buf_init(child->loop->scratch, NG_LOOP_SCRATCH);
}

static void on_read(uv_stream_t *pipe, ssize_t got, const uv_buf_t *data) {
    struct ng_child *child = pipe->data;
    if (got > 0 && pipe == (uv_stream_t *)&child->out) {
        ng_ladder_spoke(child);
    }
    if (got > 0 && child->output && pipe == (uv_stream_t *)&child->out) {
        child->output(child->context, data->base, (size_t)got);
    } else if (got > 0) {
        struct ng_buf *kept =
            pipe == (uv_stream_t *)&child->out ? &child->out_kept : &child->err_kept;
        ng_buf_add(kept, data->base, (size_t)got);
    } else if (got < 0) {
        ng_child_close_handle((uv_handle_t *)pipe);
        child->open_outputs--;
        ng_ladder_output_closed(child);
    }
}

static void on_written(uv_write_t *write, int status) {
    // A child that does not read its input is its own affair.
    const struct ng_child *child = write->handle->data;
    if (!child->held || status != 0) {
        ng_child_close_handle((uv_handle_t *)write->handle);
    }
}

/** Makes a pipe, keeps one end in `pipe` and puts the other into the child's `slot`. */
static int connect_pipe(
    struct ng_child *child, uv_pipe_t *pipe, bool child_reads, uv_stdio_container_t *slot) {
    // Real pipes, because libuv's own are sockets, which /dev/stdout cannot be opened on.
    uv_file ends[2];
    int rc = uv_pipe(ends, child_reads ? 0 : UV_NONBLOCK_PIPE, child_reads ? UV_NONBLOCK_PIPE : 0);
    if (rc != 0) {
        return rc;
    }
    uv_file ours = child_reads ? ends[1] : ends[0];
    slot->flags = UV_INHERIT_FD;
    slot->data.fd = child_reads ? ends[0] : ends[1];
    rc = uv_pipe_init(&child->loop->uv, pipe, 0);
    if (rc != 0) {
        close(ours);
        return rc;
    }
    pipe->data = child;
    child->handles++;
    rc = uv_pipe_open(pipe, ours);
    if (rc != 0) {
        close(ours);
        return rc;
    }
    if (!child_reads) {
        child->open_outputs++;
        rc = uv_read_start((uv_stream_t *)pipe, on_room, on_read);
    }
    return rc;
}

int ng_stdio_open(struct ng_child *child, const struct ng_child_spec *spec, struct ng_stdio *io) {
    *io = (struct ng_stdio){
        .slots = {{.flags = UV_IGNORE}, {.flags = UV_IGNORE}, {.flags = UV_IGNORE}}};
    int rc = spec->stdin_data ? connect_pipe(child, &child->in, true, &io->slots[0]) : 0;
    rc = rc ? rc : connect_pipe(child, &child->out, false, &io->slots[1]);
    return rc ? rc : connect_pipe(child, &child->err, false, &io->slots[2]);
}

void ng_stdio_close(struct ng_stdio *io) {
    for (size_t i = 0; i < NG_COUNT(io->slots); i++) {
        if (io->slots[i].flags == UV_INHERIT_FD) {
            close(io->slots[i].data.fd);
        }
    }
}

static bool input_is_open(struct ng_child *child) {
    return child->in.loop && !uv_is_closing((uv_handle_t *)&child->in);
}

bool ng_stdio_tell(struct ng_child *child, const char *line) {
    char copy[8];
    size_t len = strnlen(line, sizeof copy);
    memcpy(copy, line, len);
    uv_buf_t data = uv_buf_init(copy, (unsigned)len);
    // Never queued: behind data that is not taken it would come too late to mean anything.
    return input_is_open(child) && uv_try_write((uv_stream_t *)&child->in, &data, 1) == (int)len;
}

bool ng_stdio_let_go(struct ng_child *child) {
    bool open = input_is_open(child);
    if (open) {
        ng_child_close_handle((uv_handle_t *)&child->in);
    }
    return open;
}

static void on_beat(uv_timer_t *timer) {
    if (!ng_stdio_tell(timer->data, ".\n")) {
        // A pipe that is full has a reader that is late; the next beat will do.
    }
}

void ng_stdio_feed(struct ng_child *child, const struct ng_child_spec *spec) {
    if (!spec->stdin_data) {
        return;
    }
    child->input = ng_xmalloc(spec->stdin_len);
    if (spec->stdin_len > 0) {
        memcpy(child->input, spec->stdin_data, spec->stdin_len);
    }
    uv_buf_t data = {.base = child->input, .len = spec->stdin_len};
    uv_stream_t *in = (uv_stream_t *)&child->in;
    if (spec->held) {
        uv_timer_start(
            &child->beat, on_beat, ng_loop_ms(NG_CHILD_BEAT_NS), ng_loop_ms(NG_CHILD_BEAT_NS));
    }
    if (spec->stdin_len == 0 || uv_write(&child->write, in, &data, 1, on_written) != 0) {
        ng_child_close_handle((uv_handle_t *)in);
    }
}
